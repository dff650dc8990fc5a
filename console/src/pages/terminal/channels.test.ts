import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { execPath, heard, keysMessage, sizeMessage } from './channels.ts';

const message = (channel: number, text: string): ArrayBuffer =>
  new Uint8Array([channel, ...new TextEncoder().encode(text)]).buffer;

describe('channels of a terminal', () => {
  it('carry keys and sizes behind their number', () => {
    assert.deepEqual([...keysMessage('ls')], [0, 108, 115]);
    assert.equal(new TextDecoder().decode(sizeMessage(80, 24).subarray(1)), '{"Width":80,"Height":24}');
  });

  it('tell output, complaints and the end apart', () => {
    assert.equal(heard(message(1, 'hello'))?.kind, 'output');
    assert.equal(heard(message(2, 'oh'))?.kind, 'output');
    assert.deepEqual(heard(message(3, '{"status":"Success"}')), { kind: 'end', ok: true, message: '' });
    assert.deepEqual(heard(message(3, '{"status":"Failure","message":"exit 2"}')), {
      kind: 'end',
      ok: false,
      message: 'exit 2',
    });
    assert.equal(heard(message(9, '')), undefined);
    assert.equal(heard(new ArrayBuffer(0)), undefined);
  });

  it('lead to a command in a pod, word by word', () => {
    const at = { instance: 'demo', cluster: 'frankfurt', namespace: 'default', pod: 'web-1', container: 'main' };
    const path = execPath(at, ['sh', '-c', 'ls /']);
    assert.match(
      path,
      /^\/instances\/demo\/kube\/.*\/clusters\/frankfurt\/proxy\/api\/v1\/namespaces\/default\/pods\/web-1\/exec\?/,
    );
    assert.deepEqual(new URLSearchParams(path.split('?')[1]).getAll('command'), ['sh', '-c', 'ls /']);
  });
});
