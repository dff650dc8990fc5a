/** For tests: a real identity provider, as a process that ends with the test. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Ending } from '#base/testing.ts';
import type { Told } from './provider-process.ts';

export interface TestProvider {
  readonly issuer: string;
  /** Resolves when the provider has heard it. */
  readonly tell: (told: Told) => Promise<void>;
}

/** Its client is `kairship` with the secret `client secret`. */
export async function identityProvider(t: Ending, redirectUri: string): Promise<TestProvider> {
  const program = new URL('./provider-process.ts', import.meta.url);
  const provider = fork(program, [JSON.stringify({ redirectUri })], { stdio: 'ignore' });
  t.after(() => void provider.kill());
  const [{ issuer }] = (await once(provider, 'message')) as [{ issuer: string }];
  return {
    issuer,
    async tell(told) {
      const heard = once(provider, 'message');
      provider.send(told);
      await heard;
    },
  };
}
