/** What somebody most likely means, of all that bears a name: first what they wrote, then what became of it. Pure. */
import type { Found } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { kindOf, POLICIES, RESOURCES, WORKLOADS } from '../api/kinds.ts';

/** Those that begin with the words come first among equals; otherwise the order stays. */
export function ranked(found: readonly Found[], words: string): readonly Found[] {
  const begins = (one: Found) => (one.resource?.name.toLowerCase().startsWith(words.toLowerCase()) ? 0 : 1);
  return found.toSorted((a, b) => rankOf(a) - rankOf(b) || begins(a) - begins(b));
}

function rankOf({ cluster, resource }: Found): number {
  const kind = kindOf(resource?.kind ?? '');
  const of = [WORKLOADS, POLICIES, RESOURCES].findIndex((kinds) => kind !== undefined && kinds.includes(kind));
  // A copy in a cluster comes after every template.
  return (of < 0 ? 3 : of) + (cluster === '' ? 0 : 4);
}
