/** A text as the object that it describes; undefined when it describes none. Pure. */
import type { JsonObject } from '@bufbuild/protobuf';
import { parse } from 'yaml';

export function readYaml(text: string): JsonObject | undefined {
  try {
    const value: unknown = parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
