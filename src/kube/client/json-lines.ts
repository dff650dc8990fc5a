/** JSON values from a byte stream that separates them by newlines, however its chunks are cut. */
const NEWLINE = 0x0a;

export async function* jsonLines(chunks: AsyncIterable<Buffer>): AsyncGenerator {
  // A line that spans chunks is kept in pieces and joined once: joining at each chunk would be quadratic.
  let pieces: Buffer[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const tail = chunk.subarray(start, end);
      const line = pieces.length === 0 ? tail : Buffer.concat([...pieces, tail]);
      pieces = [];
      start = end + 1;
      if (line.length > 0) yield JSON.parse(line.toString('utf8'));
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  }
  // What is left is a value that its sender never ended: the stream was cut, and half a value is none.
}
