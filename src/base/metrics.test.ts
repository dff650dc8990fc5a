import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { metrics } from './metrics.ts';

describe('metrics', () => {
  it('render in the text format, one series for each combination of labels', () => {
    const all = metrics();
    const requests = all.counter('requests_total', 'Requests\nseen.', ['verb', 'code']);
    requests.labels({ verb: 'get', code: '200' }).inc();
    requests.labels({ code: '200', verb: 'get' }).inc(2);
    requests.labels({ verb: 'a "b" \\ \n', code: '500' }).inc();
    assert.equal(
      all.render(),
      [
        '# HELP requests_total Requests\\nseen.',
        '# TYPE requests_total counter',
        'requests_total{verb="get",code="200"} 3',
        'requests_total{verb="a \\"b\\" \\\\ \\n",code="500"} 1',
        '',
      ].join('\n'),
    );
  });

  it('let gauges be set, moved and followed', () => {
    const all = metrics();
    const depth = all.gauge('depth', 'Depth.').labels({});
    depth.set(5);
    depth.inc(-2);
    assert.equal(depth.value(), 3);
    let source = 1;
    depth.follow(() => source);
    source = 7;
    assert.match(all.render(), /^depth 7$/m);
  });

  it('count histogram values into every bucket that holds them', () => {
    const all = metrics();
    const seconds = all.histogram('seconds', 'Time.', ['x'], [0.1, 1]).labels({ x: 'y' });
    for (const value of [0.1, 0.5, 2]) seconds.observe(value);
    assert.deepEqual(all.render().trim().split('\n').slice(2), [
      'seconds_bucket{x="y",le="0.1"} 1',
      'seconds_bucket{x="y",le="1"} 2',
      'seconds_bucket{x="y",le="+Inf"} 3',
      'seconds_sum{x="y"} 2.6',
      'seconds_count{x="y"} 3',
    ]);
  });

  it('are shared by name, and refuse to be two things at once', () => {
    const all = metrics();
    all.counter('a', 'A.').labels({}).inc();
    all.counter('a', 'A.').labels({}).inc();
    assert.equal(all.counter('a', 'A.').labels({}).value(), 2);
    assert.throws(() => all.gauge('a', 'A.'), /already a counter/);
    assert.throws(() => all.counter('a', 'A.', ['b']), /already a counter with labels \[\]/);
  });
});
