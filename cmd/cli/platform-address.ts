import { usageFailure } from './failure.ts';

/** Where a platform is said to be; a name alone is one with TLS. */
export function platformAddress(text: string): URL {
  const written = /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw usageFailure(
    `"${text}" is no address of a platform`,
    'it is written as in a browser',
    'kairship login https://kairship.example.com',
  );
}
