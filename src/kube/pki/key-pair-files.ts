/** Certificates and keys in a directory: `<name>.crt` and `<name>.key`, readable by their owner only. */
import { join } from 'node:path';
import type { KeyPair } from './ca.ts';
import { readIfPresent, writePrivate } from './private-file.ts';

/** Undefined when either half is missing: a certificate without its key is of no use. */
export async function loadKeyPair(directory: string, name: string): Promise<KeyPair | undefined> {
  const [cert, key] = await Promise.all(
    ['crt', 'key'].map((extension) => readIfPresent(join(directory, `${name}.${extension}`))),
  );
  return cert === undefined || key === undefined ? undefined : { cert, key };
}

export async function saveKeyPair(directory: string, name: string, pair: KeyPair): Promise<void> {
  // The key first: whoever finds a certificate finds its key too.
  await writePrivate(join(directory, `${name}.key`), pair.key);
  await writePrivate(join(directory, `${name}.crt`), pair.cert);
}
