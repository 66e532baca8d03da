import { afterEach } from 'vitest';
import { resetSwitches } from './switches.ts';

// The test files of one worker share its modules.
afterEach(resetSwitches);
