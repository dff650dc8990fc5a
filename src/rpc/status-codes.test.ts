import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Code, ConnectError } from '@connectrpc/connect';
import { errorFromJson, errorToJson } from '@connectrpc/connect/protocol-connect';
import { isReason, StatusError, WIRE } from '#base/status-error.ts';
import { toConnectError, toStatusError } from './status-codes.ts';

/** There and back, as between two processes: what only this one knows of the error is lost. */
function sent(error: StatusError): StatusError {
  const json = errorToJson(toConnectError(error), undefined);
  return toStatusError(errorFromJson(json, undefined, new ConnectError('unreadable')));
}

describe('errors between processes', () => {
  it('keep every reason, code and message', () => {
    for (const reason of Object.keys(WIRE).filter(isReason)) {
      const back = sent(new StatusError(reason, 'why'));
      assert.deepEqual(
        [back.reason, back.code, back.message, back.details],
        [reason, WIRE[reason].http, 'why', undefined],
      );
    }
  });

  it('keep an unusual code and the token of an expired page', () => {
    const back = sent(new StatusError('BadRequest', 'long', { code: 414, metadata: { continue: 'next' } }));
    assert.deepEqual([back.code, back.metadata], [414, { continue: 'next' }]);
  });

  for (const details of [
    { name: 'web', kind: 'deployments', group: 'apps' },
    { name: 'web', kind: 'pods' },
    { name: 'a', kind: 'instances', group: 'kairship.io', uid: '1' },
    { retryAfterSeconds: 0 },
    { causes: [{ field: 'spec' }, { message: 'm', reason: 'r' }] },
    { causes: [] },
  ]) {
    it(`keep the details ${JSON.stringify(details)}`, () => {
      assert.deepEqual(sent(new StatusError('Invalid', 'no', { details })).details, details);
    });
  }

  it('are understood by their code when they come from elsewhere', () => {
    const codes = [Code.NotFound, Code.Aborted, Code.FailedPrecondition, Code.Canceled, Code.DataLoss];
    const errors = codes.map((code) => toStatusError(new ConnectError('x', code)));
    assert.deepEqual(
      errors.map(({ reason, code }) => `${reason} ${code}`),
      ['NotFound 404', 'Conflict 409', 'BadRequest 400', 'Unknown 499', 'InternalError 500'],
    );
  });

  it('are no conflict when a connection breaks', () => {
    const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    const { reason } = toStatusError(new ConnectError('read ECONNRESET', Code.Aborted, undefined, undefined, cause));
    assert.equal(reason, 'ServiceUnavailable');
  });

  it('say nothing of what went wrong inside', () => {
    const error = toConnectError(new TypeError('secret'));
    assert.deepEqual([error.code, error.rawMessage], [Code.Internal, 'internal error']);
    assert.ok(error.cause instanceof TypeError);
  });
});
