import type { Scenario } from '../scenario.ts';
import { AGGREGATION } from './aggregation.ts';
import { CLAIMS } from './claims.ts';
import { DIVISION } from './division.ts';
import { LIFE } from './life.ts';
import { OVERRIDES } from './overrides.ts';
import { PLACEMENT } from './placement.ts';

export const SCENARIOS: readonly Scenario[] = [
  ...PLACEMENT,
  ...DIVISION,
  ...OVERRIDES,
  ...CLAIMS,
  ...LIFE,
  ...AGGREGATION,
];
