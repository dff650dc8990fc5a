/**
 * Every service of the API, each call seen from the other side too: in the instance, in its members, in the global
 * cluster.
 *
 * The journeys share one platform, which costs as much to start as several of them take, and come in an order: those
 * that count what there is before those that leave something behind, and those that take something away at the end.
 */
import { after } from 'node:test';
import { pulling } from './agent.ts';
import { createdTogether } from './aggregation.ts';
import { customResources } from './apiextensions.ts';
import { deployments } from './apps.ts';
import { around, neighbour } from './around.ts';
import { autoscalers } from './autoscaling.ts';
import { backups } from './backup.ts';
import { jobs } from './batch.ts';
import { members } from './cluster.ts';
import { basicKinds } from './core.ts';
import { drift } from './drift.ts';
import { startStage } from './harness.ts';
import { ingresses } from './networking.ts';
import { everyOperation, everyOperationWasSeen } from './operations.ts';
import { placements } from './placement.ts';
import { policies } from './policy.ts';
import { promotions } from './promotion.ts';
import { kubeconfigRights } from './rights.ts';
import { running } from './running.ts';
import { settings } from './settings.ts';

const other = await neighbour();
const stage = await startStage(['--registry', `hub=${other.url}`, '--prometheus', other.url]);
after(async () => {
  await stage.stop();
  other.server.close();
});

placements(stage);
around(stage, other);
kubeconfigRights(stage);
basicKinds(stage);
ingresses(stage);
customResources(stage);
policies(stage);
autoscalers(stage);
deployments(stage);
jobs(stage);
createdTogether(stage);
running(stage);
promotions(stage);
drift(stage);
everyOperation(stage);
backups(stage);
pulling(stage);
members(stage);
settings(stage);
everyOperationWasSeen(stage);
