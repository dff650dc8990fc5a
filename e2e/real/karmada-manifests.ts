/**
 * What an installation of Karmada puts into its API server, read from Karmada's Go module: nothing of it is kept here.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { KubeObject } from '#kube/meta/object.ts';
import { KARMADA } from '../../scripts/real-setup.ts';

const WEBHOOK = 'https://karmada-webhook.karmada-system.svc:443';

/** The folder of Karmada's sources in Go's module cache. */
function sources(): string {
  const module = `github.com/karmada-io/karmada@${KARMADA}`;
  const said = execFileSync('go', ['mod', 'download', '-json', module], { encoding: 'utf8' });
  return (JSON.parse(said) as { readonly Dir: string }).Dir;
}

export interface KarmadaManifests {
  readonly crds: readonly KubeObject[];
  readonly webhooks: readonly KubeObject[];
}

/** The definitions, and the webhooks as they are called at `webhookUrl`, whose certificate `ca` signed. */
export function karmadaManifests(webhookUrl: string, ca: string): KarmadaManifests {
  const directory = sources();
  const caBundle = Buffer.from(ca).toString('base64');
  const patches = objectsIn(directory, 'charts/karmada/_crds/patches/*.yaml', (text) =>
    text.replace(/https:\/\/\{\{name\}\}[^/]*/, webhookUrl).replace('{{caBundle}}', caBundle),
  );
  const crds = objectsIn(directory, 'charts/karmada/_crds/bases/*/*.yaml').map((crd) => {
    const patch = patches.find(({ metadata }) => metadata.name === crd.metadata.name);
    return patch ? { ...crd, spec: { ...(crd['spec'] as object), ...(patch['spec'] as object) } } : crd;
  });
  const webhooks = objectsIn(directory, 'artifacts/deploy/webhook-configuration.yaml', (text) =>
    text.replaceAll(WEBHOOK, webhookUrl).replaceAll('{{caBundle}}', caBundle),
  );
  return { crds, webhooks };
}

function objectsIn(directory: string, pattern: string, edit = (text: string) => text): KubeObject[] {
  return globSync(pattern, { cwd: directory })
    .sort()
    .flatMap((file) => parseAllDocuments(edit(readFileSync(join(directory, file), 'utf8'))))
    .map((document) => parse(document.toString()) as KubeObject);
}
