/**
 * The writer thread of a SQLite store: opens the file, answers requests in order, and ends when it has closed it.
 *
 * All waiting for the disk happens here. Nothing thrown leaves the thread: it is the answer to the request.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type SqliteEngine, sqliteEngine } from './sqlite-engine.ts';
import type { FileOptions } from './sqlite-file.ts';
import { type Answer, type Opened, packListing, type Request, refusalOf, unpackWrites } from './sqlite-protocol.ts';

/** What a request returns, and the buffers in it that go to the other thread for good. */
interface Outcome {
  readonly result: unknown;
  readonly handedOver?: ArrayBuffer[];
}

const options: FileOptions = workerData;

function answering(body: () => Outcome): void {
  const { answer, handedOver } = answerOf(body);
  parentPort?.postMessage(answer, handedOver);
}

function answerOf(body: () => Outcome): { readonly answer: Answer; readonly handedOver: ArrayBuffer[] } {
  try {
    const { result, handedOver = [] } = body();
    return { answer: { result }, handedOver };
  } catch (error) {
    return { answer: { refusal: refusalOf(error) }, handedOver: [] };
  }
}

function perform(engine: SqliteEngine, request: Request): Outcome {
  switch (request.do) {
    case 'commit':
      return { result: engine.commit(unpackWrites(request.writes)) };
    case 'get':
      return { result: engine.get(request.key, request.at) };
    case 'list': {
      const result = packListing(engine.list(request.prefix, request.page));
      return { result, handedOver: [result.values.bytes.buffer] };
    }
    case 'replay':
      return { result: engine.replay(request.prefix, request.from, request.limit) };
    case 'compact':
      return { result: engine.compact(request.before) };
    case 'sweep':
      return { result: engine.sweep() };
    case 'snapshot':
      return { result: engine.snapshot(request.file) };
    case 'close':
      return { result: engine.close() };
  }
}

answering(() => {
  const engine = sqliteEngine(options);
  parentPort?.on('message', (request: Request) => {
    answering(() => perform(engine, request));
    if (request.do === 'close') parentPort?.close(); // nothing is left to wait for: the thread ends
  });
  const result: Opened = { revision: engine.revision(), compacted: engine.compacted() };
  return { result };
});
