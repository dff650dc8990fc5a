/** What runs, and how it is created: the journeys share one platform and keep out of each other's way. */
import { after } from 'node:test';
import { createdTogether } from './aggregation.ts';
import { deployments } from './apps.ts';
import { autoscalers } from './autoscaling.ts';
import { jobs } from './batch.ts';
import { startStage } from './harness.ts';

const stage = await startStage();
after(() => stage.stop());

autoscalers(stage);
deployments(stage);
jobs(stage);
createdTogether(stage);
