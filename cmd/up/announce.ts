/** What `kairship up` prints once everything runs: where the console is, and what to try. */
import { join, relative, resolve } from 'node:path';
import pc from 'picocolors';
import type { Member } from './members.ts';

const ROOT = resolve(import.meta.dirname, '../..');

export interface Announcement {
  readonly directory: string;
  /** Whether commands find the directory without being told. */
  readonly isDefault: boolean;
  /** Absent when its owner has deleted it. */
  readonly instance: string | undefined;
  readonly members: readonly Member[];
  /** A link that signs in once. */
  readonly link: string;
  readonly seconds: number;
}

export function announcement({ directory, isDefault, instance, members, link, seconds }: Announcement): string {
  const where = members.map(({ name, provider, region }) => `${name} ${pc.dim(`(${provider}, ${region})`)}`).join(', ');
  const kairship = shown(join(ROOT, 'bin', 'kairship'));
  const told = isDefault ? '' : ` --data-dir ${shown(directory)}`;
  const lines = [
    '',
    `  ${pc.bold('Kairship is up')} ${pc.dim(`in ${seconds.toFixed(1)} s`)}`,
    '',
    `  Console    ${pc.cyan(link)}`,
    `             ${pc.dim(`the link works once; ${kairship} open${told} makes another`)}`,
    `  Instance   ${instance ?? 'none any more'}`,
    `  Clusters   ${where || 'none yet'}`,
    '',
    '  Try, in another terminal:',
    `    export KUBECONFIG=${join(directory, 'admin.kubeconfig')}`,
    ...(instance === undefined ? ['    kubectl get instances'] : commands(instance, members[0], kairship, told)),
    '',
    pc.dim(`  Everything is kept in ${shown(directory)}; Ctrl-C stops it, the next start goes on where it was.`),
    '',
  ];
  return `${lines.join('\n')}\n`;
}

function commands(instance: string, first: Member | undefined, kairship: string, told: string): readonly string[] {
  return [
    '    kubectl get clusters',
    `    kubectl apply -f ${shown(join(ROOT, 'docs/examples/nginx.yaml'))}`,
    '    kubectl get deployment nginx',
    ...(first ? [`    kubectl --context ${instance}/${first.name} get pods`] : []),
    `    ${kairship} why deployment/nginx${told}`,
  ];
}

function shown(path: string): string {
  return relative(process.cwd(), path) || '.';
}
