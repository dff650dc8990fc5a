/**
 * Completion in shells: a few lines for each, which ask this command what could come next, and the answer.
 *
 * `__complete WORDS…` prints one candidate a line for the last word. Names come from the server, remembered for five
 * seconds; a server that does not answer in two (`KAIRSHIP_COMPLETION_TIMEOUT`) is not worth waiting for, so nothing is
 * offered then.
 */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { readIfPresent, writePrivate } from '#kube/pki/private-file.ts';
import type { Connection } from '../cli/connection.ts';
import { readContexts } from '../cli/contexts.ts';
import { write } from '../cli/output.ts';

const SCRIPTS = {
  bash: `_kairship() {
  local IFS=$'\\n'
  COMPREPLY=($(kairship __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == */ ]] && compopt -o nospace
}
complete -o default -F _kairship kairship`,
  // As a file on the fpath it is itself the function, at first; sourced, it has to say what it completes.
  zsh: `#compdef kairship
_kairship() {
  local -a found ended open
  found=("\${(@f)$(kairship __complete "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  ended=("\${(@)found:#*[/=]}") open=("\${(@M)found:#*[/=]}")
  [[ -n "\${found[1]}" ]] || { _files; return }
  (( \${#ended} )) && compadd -Q -- "\${ended[@]}"
  (( \${#open} )) && compadd -Q -S '' -- "\${open[@]}"
}
if [[ "\${funcstack[1]}" == _kairship ]]; then _kairship "$@"; else compdef _kairship kairship; fi`,
  fish: `function __kairship_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (kairship __complete $words[2..-1] 2>/dev/null | string match -v '')
  test (count $found) -gt 0; and printf '%s\\n' $found; or __fish_complete_path (commandline -ct)
end
complete -c kairship -f -a '(__kairship_complete)'`,
} as const;

export type Shell = keyof typeof SCRIPTS;
export const SHELLS = Object.keys(SCRIPTS) as readonly Shell[];

export function completion(shell: Shell): void {
  write(SCRIPTS[shell]);
}

export async function complete(program: Command, words: readonly string[]): Promise<void> {
  const last = words.at(-1) ?? '';
  const { command, given } = commandAt(program, words.slice(0, -1));
  const candidates = await candidatesFor(command, given, words);
  write(candidates.filter((candidate) => candidate.startsWith(last)).join('\n'));
}

/** The command that the words so far lead to, and the words that are left. */
function commandAt(program: Command, words: readonly string[]): { command: Command; given: readonly string[] } {
  let command = program;
  const given: string[] = [];
  for (const word of words) {
    const next =
      given.length === 0
        ? command.commands.find((each) => each.name() === word || each.aliases().includes(word))
        : undefined;
    if (next) command = next;
    else given.push(word);
  }
  return { command, given };
}

async function candidatesFor(
  command: Command,
  given: readonly string[],
  words: readonly string[],
): Promise<readonly string[]> {
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  if (last.startsWith('-')) return command.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []));
  if (/^(-C|--clusters?|--lose|--cordon|--uncordon|--unjoin)$/.test(before))
    return lists(last, await names('clusters'));
  if (/^(-i|--instance|--from)$/.test(before)) return names('instances');
  if (/^(-n|--namespace)$/.test(before)) return names('namespaces');
  if (/^(-o|--output)$/.test(before)) return ['json', 'yaml', 'wide', 'name', 'jsonpath='];
  if (before === '--scope') return ['instance', 'members', 'all'];
  if (before === '--context') return (await readContexts()).contexts.map(({ name }) => name);
  if (command.commands.length > 0)
    return command.commands.map((each) => each.name()).filter((name) => !name.startsWith('__'));
  return argumentsFor(
    command,
    given.filter((word) => !word.startsWith('-')),
    last,
  );
}

async function argumentsFor(command: Command, given: readonly string[], last: string): Promise<readonly string[]> {
  const name = command.name();
  const parent = command.parent?.name();
  if (/^(restore|delete-backup)$/.test(name) && given.length === 0) return names('backups');
  if (parent === 'instance' || name === 'kubeconfig') return names('instances');
  if (parent === 'cluster' || (name === 'promote' && given.length === 0)) return names('clusters');
  const people = PEOPLE[`${parent} ${name}`];
  if (people !== undefined) return given.length === 0 ? names(people) : [];
  if (name === 'use') {
    const [instances, clusters] = await Promise.all([names('instances'), names('clusters')]);
    return [...instances, ...instances.flatMap((instance) => clusters.map((cluster) => `${instance}/${cluster}`))];
  }
  if (name === 'completion') return SHELLS;
  if (name === 'top') return ['pods', 'nodes', 'clusters'];
  if (!/^(get|describe|logs|exec|why|trace|plan|promote|open|show|accept|revert)$/.test(name)) return [];
  const [kind] = last.split('/');
  if (kind !== undefined && last.includes('/')) return (await names(kind)).map((each) => `${kind}/${each}`);
  if (name === 'get' && given[0] !== undefined) return names(given[0]);
  return KINDS.flatMap((each) => (name === 'get' ? [each] : [`${each}/`]));
}

/** Commands about what the platform itself has a list of. */
const PEOPLE: Readonly<Record<string, keyof typeof LISTED>> = {
  'user get': 'users',
  'user password': 'users',
  'user disable': 'users',
  'user enable': 'users',
  'user delete': 'users',
  'role grant': 'roles',
  'role revoke': 'roles',
  'workspace delete': 'workspaces',
  'workspace bind': 'workspaces',
  'workspace unbind': 'workspaces',
  'token delete': 'tokens',
};

const KINDS = [
  'clusters',
  'configmaps',
  'cronjobs',
  'daemonsets',
  'deployments',
  'jobs',
  'namespaces',
  'overridepolicies',
  'pods',
  'propagationpolicies',
  'secrets',
  'services',
  'statefulsets',
];

/** With commas: what is typed already stays. */
function lists(last: string, all: readonly string[]): readonly string[] {
  const typed = last.slice(0, last.lastIndexOf(',') + 1);
  return all.map((name) => typed + name);
}

const REMEMBERED_MS = 5_000;
const withinMs = () => Number(process.env['KAIRSHIP_COMPLETION_TIMEOUT'] ?? 2) * 1000;

/** Names of a kind, from a file if it is fresh, else from the server. */
async function names(kind: string): Promise<readonly string[]> {
  const about = [process.cwd(), process.env['KAIRSHIP_CONFIG'], process.env['KAIRSHIP_DATA_DIR'], kind].join('\n');
  const file = join(
    tmpdir(),
    `kairship-${process.getuid?.() ?? 0}`,
    createHash('sha256').update(about).digest('hex').slice(0, 16),
  );
  const age = await stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => Number.POSITIVE_INFINITY,
  );
  if (age < REMEMBERED_MS) return ((await readIfPresent(file)) ?? '').split('\n').filter(Boolean);
  const found = await Promise.race([
    ask(kind).catch(() => undefined),
    new Promise<undefined>((done) => setTimeout(done, withinMs(), undefined).unref()),
  ]);
  // A server that did not answer may do so at the next key.
  if (found !== undefined) await writePrivate(file, found.join('\n')).catch(() => undefined);
  return found ?? [];
}

/** Loaded when asked for: whoever presses a key does not want to wait. */
const LISTED = {
  async instances(on: Connection): Promise<readonly string[]> {
    const { InstanceService } = await import('#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts');
    const { items } = await on.rpc(InstanceService).listInstances({ pageSize: 100 });
    return items.map(({ metadata }) => metadata?.name ?? '');
  },
  /** Of all instances: one may be put back to the backup of another. */
  async backups(on: Connection): Promise<readonly string[]> {
    const { InstanceService } = await import('#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts');
    const of = async (instance: string) => (await on.rpc(InstanceService).listInstanceBackups({ instance })).items;
    const all = await Promise.all((await LISTED.instances(on)).map(of));
    return all.flat().map(({ name }) => name);
  },
  async users(on: Connection) {
    const { UsersService } = await import('#gen/proto/ghippo/api/users/v1alpha1/users_service_pb.ts');
    return (await on.rpc(UsersService).listUsers({ pageSize: 100 })).items.map(({ name }) => name);
  },
  async roles(on: Connection) {
    const { RoleService } = await import('#gen/proto/ghippo/api/role/v1alpha1/role_service_pb.ts');
    return (await on.rpc(RoleService).listRoles({ pageSize: 100 })).items.map(({ name }) => name);
  },
  async workspaces(on: Connection) {
    const { WorkspaceService } = await import('#gen/proto/ghippo/api/workspace/v1alpha1/workspace_service_pb.ts');
    const { items } = await on.rpc(WorkspaceService).listWorkspaces({ pageSize: 100 });
    return items.map(({ name }) => name);
  },
  async tokens(on: Connection) {
    const { AccountService } = await import('#gen/proto/ghippo/api/account/v1alpha1/account_service_pb.ts');
    return (await on.rpc(AccountService).listAccessTokens({})).items.map(({ id }) => id);
  },
} as const;

async function ask(kind: string): Promise<readonly string[]> {
  const { connected } = await import('../cli/connection.ts');
  return connected({}, async (on) => {
    if (kind in LISTED) return LISTED[kind as keyof typeof LISTED](on);
    const { restMapper } = await import('#kube/client/rest-mapper.ts');
    const client = on.kube(await on.theInstance());
    const { items } = await client.list(await restMapper(client).byName(kind), { limit: 200 });
    return [...new Set(items.map(({ metadata }) => metadata.name))].sort();
  });
}
