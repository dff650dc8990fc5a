/** How a rule here says no: as the webhook whose place it takes, so that people and scripts see Karmada's own words. */
import { StatusError } from '#base/status-error.ts';
import type { FieldError } from '#kube/meta/field-error.ts';

export function denied(webhook: string, message: string): StatusError {
  return new StatusError('Forbidden', `admission webhook "${webhook}" denied the request: ${message}`);
}

/** Throws when there is anything to complain about, each complaint once. */
export function refuseIfAny(webhook: string, errors: readonly FieldError[]): void {
  const lines = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  if (lines.length === 0) return;
  throw denied(webhook, lines.length === 1 ? String(lines[0]) : `[${lines.join(', ')}]`);
}
