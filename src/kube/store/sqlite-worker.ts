/**
 * The writer thread of a SQLite store: opens the file, answers requests in order, and ends when it has closed it.
 *
 * All waiting for the disk happens here. Nothing thrown leaves the thread: it is the answer to the request.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type SqliteEngine, sqliteEngine } from './sqlite-engine.ts';
import type { FileOptions } from './sqlite-file.ts';
import { type Answer, type Opened, type Request, refusalOf, unpack } from './sqlite-protocol.ts';

const options: FileOptions = workerData;

function answering(body: () => unknown): void {
  let answer: Answer;
  try {
    answer = { result: body() };
  } catch (error) {
    answer = { refusal: refusalOf(error) };
  }
  parentPort?.postMessage(answer, []);
}

function perform(engine: SqliteEngine, request: Request): unknown {
  switch (request.do) {
    case 'commit':
      return engine.commit(unpack(request.writes));
    case 'get':
      return engine.get(request.key, request.at);
    case 'list':
      return engine.list(request.prefix, request.page);
    case 'replay':
      return engine.replay(request.prefix, request.from, request.limit);
    case 'compact':
      return engine.compact(request.before);
    case 'sweep':
      return engine.sweep();
    case 'close':
      return engine.close();
  }
}

answering((): Opened => {
  const engine = sqliteEngine(options);
  parentPort?.on('message', (request: Request) => {
    answering(() => perform(engine, request));
    if (request.do === 'close') parentPort?.close(); // nothing is left to wait for: the thread ends
  });
  return { revision: engine.revision(), compacted: engine.compacted() };
});
