import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { keepForOffline } from './shell/register.ts';
import './styles.css';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no element for the application');
keepForOffline();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
