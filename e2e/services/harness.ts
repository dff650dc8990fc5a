/**
 * A running platform for journeys through its services: its administrator, people with as few rights as wanted, and
 * kubectl on both sides of it to see what a call did.
 *
 *     const stage = await startStage();
 *     await stage.admin('POST', '/instances/demo/namespaces/default/deployments', { data });
 *     const nobody = await stage.person('nobody');
 *     await stage.refusesAll(nobody, 'deployments', [['DELETE', '/instances/demo/namespaces/default/deployments/web']]);
 *     await stage.stop();
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request as send } from 'node:https';
import { join } from 'node:path';
import type { Transport } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { ghippoClients } from '#ghippo/apis/resources.ts';
import type { Scope } from '#ghippo/apis/scope.ts';
import { httpClient } from '#kube/client/http-client.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { newToken } from '../person.ts';
import { eventually, kubectl, type Platform, startPlatform, temporaryDirectory } from '../platform.ts';
import { reading } from './reading.ts';

export { eventually };

export interface Answer {
  readonly status: number;
  /** The body; an empty object when there was none. Tests look into it freely. */
  readonly json: ReturnType<typeof JSON.parse>;
  readonly text: string;
}

/** `path` is below `/apis/kairship.io/v1alpha1`. */
export type Call = (method: string, path: string, body?: object) => Promise<Answer>;

export type Request = readonly [method: string, path: string, body?: object];

/** A call that a journey made, and how it was answered. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

export const INSTANCE = 'demo';
/** The members of the instance. */
export const MEMBERS = ['frankfurt', 'singapore'] as const;
export type Member = (typeof MEMBERS)[number];

export interface Stage {
  readonly platform: Platform;
  readonly directory: string;
  readonly admin: Call;
  /** The same, for calls that are no journey's: they are not in {@link asked}. */
  readonly unheard: Call;
  /** Everything that journeys have asked for so far. */
  readonly asked: readonly Asked[];
  /** The administrator's gRPC, or that of somebody who was met. */
  grpc(name?: string): Transport;
  /** What a stream tells the administrator, line by line; leaving it ends the stream. */
  lines(path: string): AsyncGenerator<Answer['json'], undefined, undefined>;
  /** A user with a role in a scope if one is given, made when first met; resolves when the platform knows both. */
  person(name: string, role?: { readonly role: string; readonly scope: Scope }): Promise<Call>;
  /** kubectl on the instance, on a member, on the global cluster; what it prints, and a failure if it fails. */
  instance(...args: readonly string[]): Promise<string>;
  instanceNamed(name: string, ...args: readonly string[]): Promise<string>;
  member(name: Member, ...args: readonly string[]): Promise<string>;
  global(...args: readonly string[]): Promise<string>;
  /** Everything the instance holds of some kinds (`deployments,jobs`), as far as its users wrote it. */
  contents(kinds: string): Promise<unknown>;
  /** That the platform itself refuses every one of these calls, and that the instance holds what it held before. */
  refusesAll(caller: Call, kinds: string, requests: readonly Request[]): Promise<void>;
  stop(): Promise<void>;
}

/** With options of `kairship up` beside its own. */
export async function startStage(args: readonly string[] = []): Promise<Stage> {
  const { path: directory, remove } = temporaryDirectory();
  const platform = await startPlatform(directory, ['--members', String(MEMBERS.length), ...args]);
  const at = (...parts: readonly string[]) => join(directory, ...parts);
  const ca = readFileSync(at('platform', 'pki', 'ca.crt'));
  const agent = new Agent({ keepAlive: true, ca });
  const base = `https://127.0.0.1:${new URL(platform.consoleUrl).port}/apis/kairship.io/v1alpha1`;
  const asked: Asked[] = [];
  const as = (token: string): Call => recorded(caller({ agent, base, token }), asked);
  const adminToken = readFileSync(at('admin.token'), 'utf8').trim();
  const globalClient = httpClient(await loadKubeconfig(at('platform', 'kubeconfig')));
  const people = ghippoClients(globalClient);
  const [instance, global] = [
    printing(at('instances', INSTANCE, 'kubeconfig')),
    printing(at('platform', 'kubeconfig')),
  ];
  const members = Object.fromEntries(MEMBERS.map((name) => [name, printing(at('members', name, 'kubeconfig'))]));

  async function contents(kinds: string): Promise<unknown> {
    const { items } = JSON.parse(await instance('get', kinds, '-A', '-o', 'json')) as { items: readonly Held[] };
    return items.map(asWritten);
  }

  const met = new Map<string, Call>();
  const tokens = new Map<string, string>();
  return {
    platform,
    directory,
    admin: as(adminToken),
    unheard: caller({ agent, base, token: adminToken }),
    asked,
    grpc: (name) => grpcTo(new URL(base).origin, ca, name === undefined ? adminToken : (tokens.get(name) ?? '')),
    lines: (path) => linesOf({ agent, base, token: adminToken }, path, asked),
    async person(name, role) {
      const known = met.get(name);
      if (known) return known;
      await people.users.create({ metadata: { name }, spec: {} });
      const subjects = [{ kind: 'User' as const, name }];
      if (role) await people.bindings.create({ metadata: { name }, spec: { ...role, subjects } });
      const token = await newToken(people, name);
      tokens.set(name, token);
      const call = as(token);
      // Rights and tokens reach the platform by different watches: asked until both are there.
      await eventually(async () => {
        const { status } = await call('GET', `/instances/${INSTANCE}/deployments`);
        assert.equal(status, role ? 200 : 403);
      });
      met.set(name, call);
      return call;
    },
    instance,
    instanceNamed: (name, ...args) => printing(at('instances', name, 'kubeconfig'))(...args),
    member: (name, ...args) => (members[name] as typeof instance)(...args),
    global,
    contents,
    async refusesAll(call, kinds, requests) {
      const before = await contents(kinds);
      for (const [method, path, body] of requests) {
        const { status, json } = await call(method, path, body);
        assert.equal(status, 403, `${method} ${path}: ${JSON.stringify(json)}`);
        // The platform's own words: the request went no further.
        assert.match(String(json.message), /^user "[^"]+" may not /, `${method} ${path}`);
      }
      assert.deepEqual(await contents(kinds), before);
    },
    async stop() {
      agent.destroy();
      globalClient.close();
      await platform.stop();
      remove();
    },
  };
}

interface Held {
  readonly kind: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec?: unknown;
  readonly data?: unknown;
}

/** Without what controllers add at any time. */
function asWritten({ kind, metadata, spec, data }: Held): unknown {
  const { namespace, name, uid, generation, deletionTimestamp } = metadata;
  return { kind, namespace, name, uid, generation, deletionTimestamp, spec, data };
}

/** kubectl that must succeed; what it would only read is read without it. */
function printing(kubeconfig: string): (...args: readonly string[]) => Promise<string> {
  const [run, read] = [kubectl(kubeconfig), reading(kubeconfig)];
  return async (...args) => {
    const found = read(args);
    if (found) return found;
    const { code, stdout, stderr } = await run(...args);
    assert.equal(code, 0, `kubectl ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  };
}

function grpcTo(baseUrl: string, ca: Buffer, token: string): Transport {
  return createGrpcTransport({
    baseUrl,
    nodeOptions: { ca },
    interceptors: [
      (next) => (request) => {
        request.header.set('authorization', `Bearer ${token}`);
        return next(request);
      },
    ],
  });
}

interface Door {
  readonly agent: Agent;
  readonly base: string;
  readonly token: string;
}

function recorded(call: Call, asked: Asked[]): Call {
  return async (method, path, body) => {
    const answer = await call(method, path, body);
    asked.push({ method, path, status: answer.status });
    return answer;
  };
}

function caller({ agent, base, token }: Door): Call {
  return (method, path, body) =>
    new Promise((done, fail) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const request = send(base + path, { method, agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => done({ status: response.statusCode ?? 0, json: jsonIn(text), text }));
        response.on('error', fail);
      });
      request.on('error', fail);
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
}

/** Of a stream, what came first. */
function jsonIn(text: string): Answer['json'] {
  return JSON.parse(text.trim() === '' ? '{}' : text.includes('}\n{') ? (text.split('\n')[0] ?? '') : text);
}

async function* linesOf(
  { agent, base, token }: Door,
  path: string,
  asked: Asked[],
): AsyncGenerator<Answer['json'], undefined, undefined> {
  const request = send(base + path, { agent, headers: { authorization: `Bearer ${token}` } });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  asked.push({ method: 'GET', path, status: response.statusCode ?? 0 });
  // Whoever leaves a stream breaks it off: that is no failure.
  for (const each of [request, response]) each.on('error', () => undefined);
  try {
    let rest = '';
    for await (const chunk of response.setEncoding('utf8')) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line);
    }
  } finally {
    request.destroy();
  }
}
