/** The console starts here: styles, language, then the application. */
import '@mantine/core/styles.css';
import './theme/tokens.css';
import './theme/app.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { reloadAfterUpgrade } from './app/reload-after-upgrade.ts';
import { startLanguage } from './i18n/language.ts';

const root = document.querySelector('#root');
if (!root) throw new Error('the page has no place for the console');
reloadAfterUpgrade();
await startLanguage();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
