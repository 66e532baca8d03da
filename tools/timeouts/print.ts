import { budgets } from './budgets.ts';
import { timeoutsDocument } from './document.ts';
import { readTimeouts } from './values.ts';

console.log(timeoutsDocument(readTimeouts(), budgets));
