import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chosenControllers, CONTROLLERS, OFF_BY_DEFAULT } from './controller-names.ts';

/** The names that run. */
function running(list: string): readonly string[] {
  const choice = chosenControllers(list);
  assert.ok('disabled' in choice);
  return CONTROLLERS.filter((name) => !choice.disabled.includes(name));
}

describe('a list of controllers', () => {
  it('has all that run by default in a star', () => {
    assert.deepEqual(
      running('*'),
      CONTROLLERS.filter((name) => !OFF_BY_DEFAULT.includes(name)),
    );
  });

  it('adds and takes away by name, wherever the star stands', () => {
    const names = running('-execution, *,hpaScaleTargetMarker');
    assert.ok(!names.includes('execution') && names.includes('hpaScaleTargetMarker') && names.includes('binding'));
    assert.deepEqual(chosenControllers('*,hpaScaleTargetMarker'), {
      disabled: ['deploymentReplicasSyncer'],
      enabled: ['hpaScaleTargetMarker'],
    });
  });

  it('without a star is all that run', () =>
    assert.deepEqual(running('scheduler,detector'), ['detector', 'scheduler']));

  it('says which names it does not know', () => {
    assert.deepEqual(chosenControllers('*,-nobody,cluster,elsewhere'), { unknown: ['nobody', 'elsewhere'] });
  });
});
