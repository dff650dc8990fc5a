/** What runs is looked after: the journeys share one platform. */
import { after } from 'node:test';
import { drift } from './drift.ts';
import { startStage } from './harness.ts';
import { everyOperation } from './operations.ts';
import { running } from './running.ts';

const stage = await startStage();
after(() => stage.stop());

running(stage);
drift(stage);
everyOperation(stage);
