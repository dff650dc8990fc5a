import { defineConfig } from '@playwright/test';
import { chromiumPath } from '../../scripts/test-tools.ts';

const chromium = chromiumPath();

export default defineConfig({
  testDir: '.',
  // They take minutes each: `npm run test:console`.
  testIgnore: process.env['EVERYTHING'] === undefined ? ['journey.spec.ts', 'scale.spec.ts'] : [],
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
