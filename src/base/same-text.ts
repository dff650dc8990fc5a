import { timingSafeEqual } from 'node:crypto';

/** Whether two texts are the same; takes as long whatever is compared. */
export function sameText(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}
