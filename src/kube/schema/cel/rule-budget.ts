/** What the rules of a CRD may cost by estimate: each expression, and all of them together. */
import { type FieldError, forbidden } from '#kube/meta/field-error.ts';
import type { Schema } from '../schema.ts';
import { multiply } from './cost-size.ts';

const PER_EXPRESSION = 10_000_000;
const PER_DEFINITION = 100_000_000;
/** Of those that cost at least a hundredth of it all, as many as this are named. */
const NAMED = 4;

export interface RuleBudget {
  /** Counts what an expression costs; `what` is told when that alone is too much. */
  spend(field: string, cost: number, what: string): FieldError[];
  /** What to say when they cost too much together; `at` is where the schema is. */
  overdrawn(at: string): FieldError[];
}

/** `acceptEach`: no single expression is refused, as those of a schema that has been accepted before. */
export function ruleBudget(acceptEach = false): RuleBudget {
  const spent: { readonly field: string; readonly cost: number }[] = [];
  return {
    spend(field, cost, what) {
      spent.push({ field, cost });
      return cost > PER_EXPRESSION && !acceptEach ? [forbidden(field, exceeds(what, cost / PER_EXPRESSION))] : [];
    },
    overdrawn(at) {
      const total = spent.reduce((sum, { cost }) => sum + cost, 0);
      if (total <= PER_DEFINITION) return [];
      const large = spent.filter(({ cost }) => cost >= PER_DEFINITION / 100).toSorted((a, b) => b.cost - a.cost);
      const detail = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
      const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
      return [
        ...large.slice(0, NAMED).map(({ field }) => forbidden(field, detail)),
        forbidden(at, exceeds(what, total / PER_DEFINITION)),
      ];
    },
  };
}

function exceeds(what: string, factor: number): string {
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings';
  return `${what} exceeds budget by factor of ${factorText(factor)} (${advice} are declared)`;
}

/** More than a hundred times is enough to know; close to one, the first digits say little. */
function factorText(factor: number): string {
  if (factor > 100) return 'more than 100x';
  return `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
}

/** How often what is below a schema can occur, when the schema itself occurs `often`; undefined for any number. */
export function occurrencesBelow(schema: Schema, often: number | undefined): number | undefined {
  const each = occurrencesIn(schema);
  return often === undefined || each === undefined ? undefined : multiply(often, each);
}

function occurrencesIn({ type, additionalProperties, maxProperties, maxItems }: Schema): number | undefined {
  if (type === 'array') return maxItems;
  return type === 'object' && additionalProperties !== undefined ? maxProperties : 1;
}
