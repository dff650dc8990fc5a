/** `pods/exec` and `pods/attach`: from a request to a command whose streams are the client's. */
import type { Pod } from '#gen/kube/types.ts';
import { badRequest } from '#base/status-error.ts';
import type { ExtensionRequest } from '#kube/apiserver/extension.ts';
import { containerOf } from '../container.ts';
import type { CommandOptions, CommandSession } from '../pod-streams.ts';
import { flag } from '../query.ts';
import type { StreamDeps } from '../stream-deps.ts';
import { upgradeOf } from '../upgrade.ts';
import { runCommand } from './run-command.ts';
import { spdyCommand } from './spdy-command.ts';
import { type Wanted, websocketCommand } from './websocket-command.ts';

type Start = (pod: Pod, options: CommandOptions) => Promise<CommandSession>;

export async function serveExec(deps: StreamDeps, request: ExtensionRequest): Promise<void> {
  const command = request.query.getAll('command');
  if (command.length === 0) throw badRequest('you must specify at least one command for the container');
  await serveCommand(deps, request, (pod, options) => deps.streams.exec(pod, { ...options, command }));
}

export async function serveAttach(deps: StreamDeps, request: ExtensionRequest): Promise<void> {
  await serveCommand(deps, request, (pod, options) => deps.streams.attach(pod, options));
}

async function serveCommand(deps: StreamDeps, request: ExtensionRequest, start: Start): Promise<void> {
  const { query, signal: closing } = request;
  const upgrade = upgradeOf(request);
  const pod = await deps.pod(request);
  const container = containerOf(pod, query.get('container') ?? undefined);
  if (!pod.spec?.nodeName) throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
  const wanted = wantedStreams(query);
  await deps.sessions(closing, async (session) => {
    const channels = await (upgrade.to === 'websocket' ? websocketCommand : spdyCommand)(upgrade, wanted, {
      ...deps,
      session,
    });
    await runCommand(channels, session, () => start(pod, { ...wanted, container, signal: session.signal }));
  });
}

function wantedStreams(query: URLSearchParams): Wanted {
  const tty = flag(query, 'tty');
  const wanted = {
    tty,
    stdin: flag(query, 'stdin'),
    stdout: flag(query, 'stdout'),
    // A terminal has one output.
    stderr: flag(query, 'stderr') && !tty,
  };
  if (!wanted.stdin && !wanted.stdout && !wanted.stderr) {
    throw badRequest('you must specify at least 1 of stdin, stdout, stderr');
  }
  return wanted;
}
