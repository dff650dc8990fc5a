/**
 * HTTP/1.1 over TLS with as little work as possible: a client that shares the machine with the server it measures must
 * not be what is measured. One request at a time on a connection; answers are told by status and size. What arrives is
 * read into one buffer, whoever it is for, and looked at before the next is read.
 */
import { connect, type TLSSocket } from 'node:tls';

export interface Target {
  readonly port: number;
  readonly token: string;
}

export interface Answer {
  readonly code: number;
  readonly bytes: number;
}

export interface Connection {
  send(request: Buffer): Promise<Answer>;
  readonly socket: TLSSocket;
}

export function requestOf({ token }: Target, method: string, path: string, body?: object): Buffer {
  const sent = body === undefined ? '' : JSON.stringify(body);
  const type = sent === '' ? '' : 'Content-Type: application/json\r\n';
  const head = `${method} ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n${type}`;
  return Buffer.from(`${head}Content-Length: ${Buffer.byteLength(sent)}\r\n\r\n${sent}`);
}

const ARRIVED = Buffer.allocUnsafe(64 * 1024);

/** `take` is given each piece as it arrives, and may not keep it. */
export function open({ port }: Target, take: (piece: Buffer) => void): Promise<TLSSocket> {
  return new Promise((done, fail) => {
    const onread = {
      buffer: ARRIVED,
      callback(size: number) {
        take(ARRIVED.subarray(0, size));
        return true;
      },
    };
    // The certificate is the server's own; who it is does not matter here, that it is TLS does.
    const to = { host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'], onread };
    const socket = connect(to, () => done(socket));
    socket.setNoDelay(true);
    socket.once('error', fail);
  });
}

const END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

export async function connection(target: Target): Promise<Connection> {
  let waiting: PromiseWithResolvers<Answer> | undefined;
  let head: Buffer | undefined;
  let answer: { code: number; size: number | 'chunked'; bytes: number } | undefined;

  function begin(chunk: Buffer): Buffer | undefined {
    head = Buffer.concat(head ? [head, chunk] : [chunk]);
    const end = head.indexOf(END);
    if (end < 0) return undefined;
    const text = head.toString('latin1', 0, end);
    const size = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
    answer = { code: Number(text.slice(9, 12)), size: size === undefined ? 'chunked' : Number(size), bytes: 0 };
    const rest = head.subarray(end + END.length);
    head = undefined;
    return rest;
  }

  const socket = await open(target, (chunk) => {
    const body = answer ? chunk : begin(chunk);
    if (!answer || !body) return;
    answer.bytes += body.length;
    const { size, code, bytes } = answer;
    const whole = size === 'chunked' ? body.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) : bytes >= size;
    if (!whole) return;
    answer = undefined;
    waiting?.resolve({ code, bytes });
  });
  socket.on('error', (error) => waiting?.reject(error));
  socket.on('close', () => waiting?.reject(new Error('the server closed the connection')));

  return {
    socket,
    send(request) {
      waiting = Promise.withResolvers<Answer>();
      socket.write(request);
      return waiting.promise;
    },
  };
}
