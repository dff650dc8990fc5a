/** Signing in, and how the whole platform is. */
import type { Command } from 'commander';
import { asList, duration, inNamespace, onInstance, onPlatform, withOutput, yes } from '../cli/options.ts';

export function signInCommands(program: Command): void {
  yes(program.command('login [url]'))
    .description('sign in to a platform, and remember it')
    .option('-u, --user <name>', 'sign in with a password, as this user')
    .option('--password-stdin', 'read the password from stdin')
    .option('--token <token>', 'use this token')
    .option('--token-stdin', 'read the token from stdin')
    .option('--certificate-authority <file>', "the authority of the platform's certificate")
    .option('--name <context>', 'what to remember it as; its host when absent')
    .option('--no-browser', 'print the address to open instead of opening it')
    .option('--timeout <duration>', 'how long to wait for the browser; 5m when absent', duration)
    .option('--ttl <duration>', 'how long to stay signed in, as 8h, at most 1825d; 30d when absent', duration)
    .option('--data-dir <folder>', 'without a URL: the platform started in this folder')
    .addHelpText(
      'after',
      `
Without --user, a token or a link it opens your browser, where you sign in as you do in the console and allow it.

Examples:
  kairship login https://kairship.example.com
  kairship login https://kairship.example.com --user alice     with a password, without a browser
  kairship login 'https://kairship.example.com/signin?code=…'  a link that works once
  kairship login                                               the platform of this folder, from everywhere`,
    )
    .action(async (url: string | undefined, options) => (await import('./sign-in.ts')).login(url, options));

  onPlatform(program.command('logout'))
    .description('give the token back, and forget the platform')
    .action(async (options) => (await import('./sign-in.ts')).logout(options));

  withOutput(onPlatform(program.command('whoami')))
    .description('who you are, where, and with which roles')
    .action(async (options) => (await import('./sign-in.ts')).whoami(options));
}

export function overviewCommands(program: Command): void {
  withOutput(onInstance(program.command('status')))
    .description('the whole platform on one screen')
    .action(async (options) => (await import('./status.ts')).status(options));

  withOutput(onPlatform(program.command('doctor')))
    .description('look for what could be wrong, and how to put it right')
    .action(async (options) => (await import('./doctor.ts')).doctor(options));

  inNamespace(onInstance(program.command('open [reference]')))
    .description('print where something is in the console, or a link that signs you in there')
    .addHelpText(
      'after',
      `
Examples:
  kairship open                    a sign-in link that works once
  kairship open deployment/nginx   its page
  kairship open cluster/frankfurt  the page of a cluster`,
    )
    .action(async (reference: string | undefined, options) => (await import('./open.ts')).open(reference, options));
}

/** `token` alone is what kubectl calls; its subcommands are for people. */
export function tokenCommand(program: Command): void {
  const token = onPlatform(program.command('token'))
    .description('your tokens; alone it prints a credential for kubectl')
    .action(async (options) => (await import('./sign-in.ts')).execCredential(options));
  asList(onPlatform(token.command('list')))
    .description('list your tokens')
    .action(async (options) => (await import('./tokens.ts')).listTokens(options));
  onPlatform(token.command('create [description]'))
    .description('make a token for a program; its text is told once, on stdout')
    .option('--no-browser', 'print the address to open instead of opening it')
    .option('--timeout <duration>', 'how long to wait for the browser; 5m when absent', duration)
    .option('--ttl <duration>', 'how long it is valid, as 8h, at most 1825d; 30d when absent', duration)
    .option('--permission <permission...>', 'only these, as kairship/workload/*; all of yours when absent')
    .option('--in <place...>', 'only there, as instance/demo or namespace/demo/shop; everywhere when absent')
    .action(async (description: string | undefined, options) =>
      (await import('./tokens.ts')).createToken(description, options),
    );
  onPlatform(token.command('delete <id...>'))
    .description('take tokens back')
    .action(async (ids: readonly string[], options) => (await import('./tokens.ts')).deleteTokens(ids, options));
}
