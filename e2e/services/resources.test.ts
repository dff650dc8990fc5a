/** What workloads need around them, and what places them: the journeys share one platform. */
import { after } from 'node:test';
import { customResources } from './apiextensions.ts';
import { basicKinds } from './core.ts';
import { startStage } from './harness.ts';
import { ingresses } from './networking.ts';
import { policies } from './policy.ts';

const stage = await startStage();
after(() => stage.stop());

basicKinds(stage);
ingresses(stage);
customResources(stage);
policies(stage);
