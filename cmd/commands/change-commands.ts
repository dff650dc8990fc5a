/** Changing things, and knowing why, what if and how far. */
import type { Command } from 'commander';
import { inNamespace, onInstance, withOutput } from '../cli/options.ts';

export function changeCommands(program: Command): void {
  withOutput(inNamespace(onInstance(program.command('why <kind/name>'))))
    .description('why an application runs where it runs, and not elsewhere')
    .option('--cluster <name>', 'every reason about one cluster')
    .option('--kubeconfig <file>', "an instance's own kubeconfig, instead of the platform")
    .action(async (reference: string, options) => (await import('./why.ts')).why(reference, options));
}
