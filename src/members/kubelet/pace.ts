/** How fast simulated containers go about their lives, in milliseconds of the cluster's time. */
export interface Pace {
  /** From the moment its turn has come until a container runs. */
  readonly startMs: number;
  /** How long an init container runs. */
  readonly initMs: number;
  /** How long a container runs that is meant to end. */
  readonly runMs: number;
  /** How long a container runs that is meant to crash. */
  readonly crashMs: number;
  /** From being told to stop until it has stopped. */
  readonly stopMs: number;
}

export const DEFAULT_PACE: Pace = { startMs: 700, initMs: 300, runMs: 3000, crashMs: 1000, stopMs: 400 };
