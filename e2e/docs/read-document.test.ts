import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { missing, readDocument } from './read-document.ts';

const DOCUMENT = `# Title

\`\`\`sh
# a remark
kairship status
kairship plan -f x.yaml      # ends with 6: it would disrupt
kairship logs deployment/nginx -f   # until Ctrl-C
kairship cluster join paris \\
  --kubeconfig paris
cat > a.txt <<'EOF'
one
EOF
\`\`\`

<!-- not run: needs PostgreSQL -->

\`\`\`sh
kairship kpanda
\`\`\`

\`\`\`console
$ kairship why deployment/nginx
nginx  4/4 ready
…
Decided 8 s ago
$ kairship status
\`\`\`

\`\`\`yaml
# policy.yaml
kind: PropagationPolicy
\`\`\`

\`\`\`json
{}
\`\`\`
`;

describe('reading a document', () => {
  const [typed, excused, shown, file, ...more] = readDocument(DOCUMENT);

  it('finds what is to be typed, with lines that belong together', () => {
    assert.deepEqual(
      typed?.commands.map(({ text, code, endless, line }) => [
        text.split(' ').slice(0, 3).join(' '),
        code,
        endless,
        line,
      ]),
      [
        ['kairship status', 0, false, 5],
        ['kairship plan -f', 6, false, 6],
        ['kairship logs deployment/nginx', 0, true, 7],
        ['kairship cluster join', 0, false, 8],
        ['cat > a.txt', 0, false, 10],
      ],
    );
    assert.match(typed?.commands[4]?.text ?? '', /one\nEOF$/);
  });

  it('finds why a block is not run, and takes it for no other', () => {
    assert.equal(typed?.excuse, undefined);
    assert.equal(excused?.excuse, 'needs PostgreSQL');
    assert.equal(shown?.excuse, undefined);
  });

  it('finds what commands print, and files to write', () => {
    assert.deepEqual(
      shown?.commands.map(({ text, prints }) => [text, prints.length]),
      [
        ['kairship why deployment/nginx', 3],
        ['kairship status', 0],
      ],
    );
    assert.deepEqual([file?.kind, file?.name], ['file', 'policy.yaml']);
    assert.deepEqual(more, []);
  });
});

describe('comparing what was printed', () => {
  const prints = ['NAME      READY   AGE', '…', 'nginx-9lgwmfpgkj-hw84v   1/1   3m2s'];

  it('overlooks widths, times, names that are made up and the order of equals', () => {
    assert.equal(
      missing(prints, 'NAME   READY   AGE\nother 1/1 1s\nnginx-58c2z6qqn6-2f7jr   1/1     17s\n'),
      undefined,
    );
    assert.equal(missing(['nginx  a-1:2,b:2 of 3'], 'nginx b:2,a-1:2 of 3'), undefined);
  });

  it('names the line that is not there', () => {
    assert.equal(missing(prints, 'NAME READY AGE\nnginx-58c2z6qqn6-2f7jr 0/1 17s'), prints[2]);
  });
});
