/**
 * Divides seats by votes with the method of Webster (Sainte-Laguë): each seat goes to the party with the greatest
 * votes / (2 × seats + 1).
 *
 * As karmada v1.18 pkg/util/helper/webstermethod.go and binding.go: of parties with the same quotient the one with
 * fewer seats wins, then the name that comes first, or the one that comes last when the hash of the resource's uid is
 * odd, so that single replicas of many workloads do not all land on the same cluster.
 */
import { fnv32a } from '#karmada/names/index.ts';

export interface Party {
  readonly name: string;
  readonly votes: number;
}

export interface Division {
  /** Seats by name, in the order of names; every party is in it. */
  readonly seats: ReadonlyMap<string, number>;
  /** How the last seat was decided, when quotients were equal: earlier ties are evened out by the next seat. */
  readonly tie?: Tie;
}

export interface Tie {
  readonly winner: string;
  readonly losers: readonly string[];
  readonly rule: string;
}

/** Without any vote nobody gets a seat. */
export function webster(seats: number, parties: readonly Party[], uid = ''): Division {
  const states: State[] = parties.map(({ name, votes }) => ({ name, votes, seats: 0, quotient: votes }));
  const lastNameFirst = prefersLastName(uid);
  let tie: Tie | undefined;
  for (let left = parties.some(({ votes }) => votes > 0) ? seats : 0; left > 0; left--) {
    const winner = states.reduce((best, next) => (isBefore(next, best, lastNameFirst) ? next : best));
    if (left === 1) tie = tieOf(winner, states, lastNameFirst);
    winner.seats++;
    winner.quotient = winner.votes / (2 * winner.seats + 1);
  }
  return { seats: seatsByName(states), ...(tie ? { tie } : {}) };
}

interface State {
  readonly name: string;
  readonly votes: number;
  seats: number;
  quotient: number;
}

function isBefore(a: State, b: State, lastNameFirst: boolean): boolean {
  if (a.quotient !== b.quotient) return a.quotient > b.quotient;
  if (a.seats !== b.seats) return a.seats < b.seats;
  return lastNameFirst ? a.name > b.name : a.name < b.name;
}

function prefersLastName(uid: string): boolean {
  return uid !== '' && fnv32a(uid) % 2 === 1;
}

function tieOf(winner: State, states: readonly State[], lastNameFirst: boolean): Tie | undefined {
  const equal = states.filter((state) => state !== winner && state.quotient === winner.quotient);
  if (equal.length === 0) return undefined;
  const byName = lastNameFirst ? 'the last name first, by the uid of the resource' : 'the first name first';
  const rule = equal.some(({ seats }) => seats === winner.seats) ? byName : 'the fewest replicas first';
  return { winner: winner.name, losers: equal.map(({ name }) => name).sort(), rule };
}

function seatsByName(states: readonly State[]): Map<string, number> {
  const sorted = states.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(sorted.map(({ name, seats }) => [name, seats]));
}
