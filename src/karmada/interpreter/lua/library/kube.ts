/** `require("kube")`: what scripts need to know about pods and quantities; as karmada v1.18 luavm/kube.go. */
import type { KubeObject } from '#kube/meta/object.ts';
import { addQuantities, formatQuantity, type Quantity, tryParseQuantity, ZERO } from '#kube/meta/quantity.ts';
import { DEPENDENCIES } from '../../dependencies.ts';
import { fieldsAt } from '../../fields.ts';
import { requirementsOf } from '../../requirements.ts';
import type { LuaTable, Run } from '../language/index.ts';
import { fromJson, toJson, withoutEmpty } from '../values.ts';
import type { Arguments, Library } from './arguments.ts';

export const KUBE: Library = {
  resourceAdd(args) {
    const quantities = args.all.map((_, index) => quantity(args, index + 1));
    return formatQuantity(quantities.reduce(addQuantities, ZERO));
  },
  getResourceQuantity(args, run) {
    if (args.count !== 1) throw run.error('getResourceQuantity only accepts one argument');
    const { nanos } = quantity(args, 1);
    if (nanos < 0n) throw run.error('int approximation unexpectedly returned a negative value');
    return Number(nanos / NANO) + Number(nanos % NANO) / Number(NANO);
  },
  accuratePodRequirements(args, run) {
    if (args.count !== 1) throw run.error('getPodRequirements only accepts one argument');
    return fromJson(requirementsOf(podSpec(args.table(1), run)));
  },
  getPodDependencies(args, run) {
    if (args.count !== 2) throw run.error('getPodDependencies only accepts two argument');
    const namespace = args.string(2, 'default');
    const spec = podSpec(args.table(1), run);
    const pod: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: '', namespace }, spec };
    return fromJson(DEPENDENCIES['v1/Pod']?.(pod));
  },
};

const NANO = 1_000_000_000n;

/** Nil counts as nothing. */
function quantity(args: Arguments, position: number): Quantity {
  const value = args.get(position);
  if (value === undefined) return ZERO;
  const parsed = typeof value === 'string' ? tryParseQuantity(value) : undefined;
  if (parsed) return parsed;
  throw args.wrong(position, typeof value === 'string' ? `'${value}' is not a quantity` : 'string expected');
}

function podSpec(template: LuaTable, run: Run) {
  return fieldsAt(withoutEmpty(toJson(template, run)), 'spec');
}
