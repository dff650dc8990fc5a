/**
 * The service of proto/rpc/testing for tests: it answers what it was asked, on a port of its own, by every protocol.
 */
import type { Client, ServiceImpl, Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { isReason, StatusError } from '#base/status-error.ts';
import { TestingService } from '#gen/proto/rpc/testing/v1/testing_pb.ts';
import type { NodeRequest, NodeResponse } from '../node-request.ts';
import { rpcClient } from '../rpc-client.ts';
import { type RpcHandler, type RpcOptions, rpcHandler, service } from '../rpc-handler.ts';
import { onePort, type OnePortOptions } from '../server/one-port.ts';

/** Details of every kind, so that a test can see them arrive. */
export const FAILURE = {
  name: 'web',
  group: 'apps',
  kind: 'deployments',
  uid: '7',
  causes: [{ reason: 'FieldValueInvalid', message: 'too many', field: 'spec.replicas' }],
  retryAfterSeconds: 3,
} as const;

export const testingService: ServiceImpl<typeof TestingService> = {
  echo: ({ everything }) => (everything ? { everything } : {}),
  unwrap: ({ items }) => ({ items }),
  name: ({ name, comment }) => ({ name, comment }),
  fail({ reason, message }) {
    if (isReason(reason)) throw new StatusError(reason, message, { details: FAILURE });
    throw new Error(message);
  },
  async *count({ to, failAt }) {
    for (let number = 1; number <= to; number += 1) {
      if (number === failAt) throw new StatusError('Expired', `cannot count to ${number}`);
      yield { number };
    }
  },
  wait: (_request, { signal }) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('left')))),
  async join(requests) {
    let text = '';
    for await (const request of requests) text += request.text;
    return { text };
  },
};

export interface TestingServer {
  readonly url: string;
  readonly handler: RpcHandler;
  readonly client: (protocol: Protocol) => Client<typeof TestingService>;
  readonly close: (graceMs?: number) => Promise<void>;
}

export const PROTOCOLS = ['grpc', 'grpc-web', 'connect'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** Serves the testing service on a free port. */
export async function serveTesting(
  options: Partial<RpcOptions> = {},
  port: Partial<OnePortOptions> = {},
): Promise<TestingServer> {
  const handler = rpcHandler({
    services: [service(TestingService, testingService)],
    clock: systemClock,
    log: silentLog,
    ...options,
  });
  const answer = (request: NodeRequest, response: NodeResponse) => {
    if (handler.handle(request, response)) return;
    response.writeHead(404);
    response.end();
  };
  const server = onePort({ onRequest: answer, onHttp2: answer, ...port });
  const url = `http${port.tls ? 's' : ''}://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  return {
    url,
    handler,
    client: (protocol) => rpcClient(TestingService, transport(protocol, url)),
    close: (graceMs) => server.close(graceMs),
  };
}

function transport(protocol: Protocol, baseUrl: string): Transport {
  const options = { baseUrl, nodeOptions: { rejectUnauthorized: false } };
  if (protocol === 'grpc') return createGrpcTransport(options);
  if (protocol === 'grpc-web') return createGrpcWebTransport({ ...options, httpVersion: '1.1' });
  return createConnectTransport({ ...options, httpVersion: '1.1' });
}
