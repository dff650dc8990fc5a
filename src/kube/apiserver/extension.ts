/**
 * API groups, resources and subresources served by code of their own instead of from the store: proxies, logs, metrics,
 * reviews. They are listed in discovery, authorized like any other, and reachable over HTTP and in-process.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { JSONSchemaProps } from '#gen/kube/types.ts';
import type { User } from './admission.ts';

export interface ApiExtension {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Absent: the resource itself. */
  readonly subresource?: string;
  /** What it answers with, or takes; group and version default to its own. */
  readonly kind: { readonly group?: string; readonly version?: string; readonly kind: string };
  readonly namespaced: boolean;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs: readonly string[];
  /** What an object of it looks like, as OpenAPI describes it to clients; nothing is checked against it. */
  readonly schema?: JSONSchemaProps;
  /** `object`: nothing but objects, in the forms all objects come in. */
  readonly answers?: 'object';
  /** A verb that whoever upgrades the connection must be allowed besides that of the request: reading is not running. */
  readonly upgradeVerb?: string;
  /**
   * Answers with an object, or, given the raw exchange, answers there and returns nothing. Failures are StatusErrors.
   */
  serve(request: ExtensionRequest): Promise<ExtensionAnswer | undefined>;
}

export interface ExtensionRequest {
  readonly verb: string;
  readonly user: User;
  readonly namespace?: string;
  readonly name?: string;
  /** The path below a subresource (`proxy/…`), without a leading slash. */
  readonly rest?: string;
  readonly query: URLSearchParams;
  /** The body as the object it encodes; undefined when there is none. */
  body(): Promise<unknown>;
  /** Tells the client something besides the answer. */
  readonly warn?: (text: string) => void;
  /** The exchange itself, for streams and proxies; absent for callers in this process. */
  readonly raw?: RawExchange;
  readonly signal: AbortSignal;
}

export type RawExchange =
  | { readonly request: IncomingMessage; readonly response: ServerResponse }
  | { readonly request: IncomingMessage; readonly upgrade: { readonly socket: Duplex; readonly head: Buffer } };

export interface ExtensionAnswer {
  readonly code?: number;
  readonly object: unknown;
}
