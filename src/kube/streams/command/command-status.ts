/** How the end of a command is told on the error channel. */
import { type Status, statusOf } from '#base/status-error.ts';

type CommandStatus = Pick<Status, 'status' | 'message' | 'reason' | 'details' | 'metadata'>;

export function exitStatus(code: number): CommandStatus {
  if (code === 0) return { metadata: {}, status: 'Success' };
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: command terminated with exit code ${code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}

/** The status of a command that could not be run to its end. */
export const failureStatus = (error: unknown): CommandStatus => statusOf(error);

/** As JSON since version 4 of the protocol; before it, nothing for success and the bare message for a failure. */
export function encodeStatus(status: CommandStatus, version: number): string {
  if (version >= 4) return JSON.stringify(status);
  return status.status === 'Success' ? '' : (status.message ?? '');
}
