import { karmadaCrds } from '#karmada/apis/crds/index.ts';
import { stringify } from 'yaml';

/** `kairship karmada --print-crds`: what another API server needs to hold before the engine can run against it. */
export function printCrds(): void {
  process.stdout.write(
    karmadaCrds()
      .map((crd) => `---\n${stringify(crd)}`)
      .join(''),
  );
}
