/** Probes and lifecycle hooks: one handler each, and numbers that make sense. */
import type { Container, LifecycleHandler, Probe } from '#gen/kube/types.ts';
import { forbidden, invalid, invalidAll, required } from '#kube/meta/field-error.ts';
import { headerNameProblems } from '#kube/meta/names.ts';
import { nonNegative, oneOf, portNumberOrName } from '../checks.ts';
import type { Errors, Given } from '../kind.ts';

type Handler = Pick<Given<Probe>, 'exec' | 'httpGet' | 'tcpSocket' | 'grpc'> & Pick<Given<LifecycleHandler>, 'sleep'>;

/** The probes and hooks of a container that may have them. */
export function* probesAndHooks(container: Given<Container>, gracePeriod: number | undefined, path: string): Errors {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  if (lifecycle?.postStart) yield* handler(lifecycle.postStart, gracePeriod, `${path}.lifecycle.postStart`);
  if (lifecycle?.preStop) yield* handler(lifecycle.preStop, gracePeriod, `${path}.lifecycle.preStop`);
  if (livenessProbe) yield* onceProbe(livenessProbe, gracePeriod, `${path}.livenessProbe`);
  if (readinessProbe) {
    yield* probe(readinessProbe, gracePeriod, `${path}.readinessProbe`);
    const seconds = readinessProbe.terminationGracePeriodSeconds;
    if (seconds !== undefined) {
      yield invalid(
        `${path}.readinessProbe.terminationGracePeriodSeconds`,
        seconds,
        'must not be set for readinessProbes',
      );
    }
  }
  if (startupProbe) yield* onceProbe(startupProbe, gracePeriod, `${path}.startupProbe`);
}

/** One success is enough for a container to be alive, or started. */
function* onceProbe(given: Given<Probe>, gracePeriod: number | undefined, path: string): Errors {
  yield* probe(given, gracePeriod, path);
  if (given.successThreshold !== 1) yield invalid(`${path}.successThreshold`, given.successThreshold ?? 0, 'must be 1');
}

const NUMBERS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

function* probe(given: Given<Probe>, gracePeriod: number | undefined, path: string): Errors {
  yield* handler(given, gracePeriod, path);
  for (const field of NUMBERS) yield* nonNegative(given[field], `${path}.${field}`);
  const seconds = given.terminationGracePeriodSeconds;
  if (seconds !== undefined && seconds <= 0) {
    yield invalid(`${path}.terminationGracePeriodSeconds`, seconds, 'must be greater than 0');
  }
}

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

function* handler(given: Handler, gracePeriod: number | undefined, path: string): Errors {
  const [first, ...others] = HANDLERS.filter((name) => given[name] !== undefined);
  if (first === undefined) yield required(path, 'must specify a handler type');
  else yield* handlerOf(given, gracePeriod, path);
  for (const other of others) yield forbidden(`${path}.${other}`, 'may not specify more than 1 handler type');
}

function* handlerOf(given: Handler, gracePeriod: number | undefined, path: string): Errors {
  const { exec, httpGet, tcpSocket, grpc, sleep } = given;
  if (exec) {
    if ((exec.command ?? []).length === 0) yield required(`${path}.exec.command`);
  } else if (httpGet) yield* httpGetAction(httpGet, `${path}.httpGet`);
  else if (tcpSocket) yield* portNumberOrName(tcpSocket.port, `${path}.tcpSocket.port`);
  else if (grpc) yield* portNumberOrName(grpc.port, `${path}.grpc.port`);
  else if (sleep && gracePeriod !== undefined) {
    const seconds = sleep.seconds ?? 0;
    if (seconds < 0 || seconds > gracePeriod) {
      const rule = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`;
      yield invalid(`${path}.sleep`, seconds, rule);
    }
  }
}

function* httpGetAction(action: NonNullable<Handler['httpGet']>, path: string): Errors {
  if (!action.path) yield required(`${path}.path`);
  yield* portNumberOrName(action.port, `${path}.port`);
  yield* oneOf(action.scheme ?? '', ['HTTP', 'HTTPS'], `${path}.scheme`);
  for (const { name = '' } of action.httpHeaders ?? []) {
    yield* invalidAll(`${path}.httpHeaders`, name, headerNameProblems(name));
  }
}
