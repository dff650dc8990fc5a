import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chosen, listKey } from './columns.ts';

const ALL = [{ id: 'name' }, { id: 'status' }, { id: 'images', wide: true }, { id: 'labels', extra: true }];
const shown = (choice: Readonly<Record<string, boolean>>, roomy: boolean) =>
  chosen(ALL, choice, roomy).map(({ id }) => id);

describe('the columns of a list', () => {
  it('are as many as there is room for, without those that nobody asked for', () => {
    assert.deepEqual(shown({}, true), ['name', 'status', 'images']);
    assert.deepEqual(shown({}, false), ['name', 'status']);
  });

  it('are what was chosen, whatever the room', () => {
    assert.deepEqual(shown({ status: false, labels: true }, true), ['name', 'images', 'labels']);
    assert.deepEqual(shown({ images: true }, false), ['name', 'status', 'images']);
  });

  it('always begin with the first', () => {
    assert.deepEqual(shown({ name: false, status: false, images: false }, true), ['name']);
  });

  it('are kept by the name of the list, or else by what it could show', () => {
    assert.equal(listKey('workloads', ALL), 'workloads');
    assert.equal(listKey(undefined, ALL), 'name,status,images,labels');
  });
});
