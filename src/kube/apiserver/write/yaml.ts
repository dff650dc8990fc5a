/**
 * YAML as Go's Kubernetes clients write it: version 1.1, where `yes` is true, but dates stay text.
 *
 * Most of what is sent as YAML is JSON and is read as that. The rest is read by a thread of its own: a few kilobytes of
 * YAML can keep a parser busy for minutes, and must not keep the server.
 */
import { parseJson } from '#kube/schema/index.ts';
import { LIMITS } from '../limits.ts';
import { readYaml } from './yaml-thread.ts';

export async function parseYaml(body: Buffer, timeoutMs = LIMITS.yamlMs): Promise<unknown> {
  const text = body.toString('utf8');
  // Halves of characters are told apart by the YAML parser, which refuses them alone.
  if (/^\s*[{[]/.test(text) && !/\\u[dD][89a-fA-F]/.test(text)) {
    try {
      return parseJson(text).value;
    } catch {
      // Flow style that is no JSON is left to the YAML parser.
    }
  }
  const json = await readYaml(text, timeoutMs);
  return json === undefined ? undefined : parseJson(json).value;
}
