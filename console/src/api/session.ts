/** Whether the browser still has a session: one fact, told by whichever request hears it first. */
import { useSyncExternalStore } from 'react';

let over = false;
const listeners = new Set<() => void>();

export function signedOut(): void {
  over = true;
  for (const tell of listeners) tell();
}

export function useSignedOut(): boolean {
  return useSyncExternalStore(
    (tell) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    () => over,
  );
}

/** Ends the session here and on the server, and shows the ways in. */
export async function signOut(): Promise<void> {
  await fetch('/signout', { method: 'POST', redirect: 'manual' });
  location.assign('/signin');
}
