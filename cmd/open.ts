import { signInLink } from './cli/sign-in-link.ts';

/** `kairship open`: a fresh sign-in link, made by the platform that runs. */
export async function open({ dataDir }: { readonly dataDir: string }): Promise<void> {
  process.stdout.write(`${await signInLink(dataDir)}\n`);
}
