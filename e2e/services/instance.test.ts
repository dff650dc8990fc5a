/** An instance as a whole: why things are where they are, what stands around it, who may, and its members last. */
import { after } from 'node:test';
import { around, neighbour } from './around.ts';
import { backups } from './backup.ts';
import { members } from './cluster.ts';
import { startStage } from './harness.ts';
import { placements } from './placement.ts';
import { kubeconfigRights } from './rights.ts';

const other = await neighbour();
const stage = await startStage(['--registry', `hub=${other.url}`, '--prometheus', other.url]);
after(async () => {
  await stage.stop();
  other.server.close();
});

placements(stage);
around(stage, other);
kubeconfigRights(stage);
backups(stage);
// Takes members away.
members(stage);
