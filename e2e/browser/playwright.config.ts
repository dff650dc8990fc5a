import { defineConfig } from '@playwright/test';
import { chromiumPath } from '../../scripts/test-tools.ts';

const chromium = chromiumPath();

export default defineConfig({
  testDir: '.',
  // The others take minutes each: `npm run test:console`.
  testMatch: process.env['EVERYTHING'] === undefined ? ['console.spec.ts', 'instance-pages.spec.ts'] : ['*.spec.ts'],
  workers: 1,
  // Generous: a busy machine is no reason to fail, and nothing here measures time.
  timeout: 180_000,
  reporter: 'line',
  outputDir: '../../test-results',
  use: {
    actionTimeout: 60_000,
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      // The system's browser, often as root, with nothing to fetch from anywhere.
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
