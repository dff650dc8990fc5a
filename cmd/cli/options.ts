/** The options that many commands share, and how their values are read. No command is loaded from here. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { format } from './output.ts';

/** Which platform: understood by every command that speaks to one, told of once (`kairship options`). */
export const CONNECTION: readonly { readonly flags: string; readonly description: string; readonly env?: string }[] = [
  { flags: '--context <name>', description: 'the context to use, of those signed in to; the current one when absent' },
  { flags: '--server <url>', description: 'the platform to speak to', env: 'KAIRSHIP_SERVER' },
  { flags: '--token <token>', description: 'the token to show it', env: 'KAIRSHIP_TOKEN' },
  { flags: '--certificate-authority <file>', description: 'the authority of its certificate', env: 'KAIRSHIP_CA' },
  { flags: '--data-dir <folder>', description: 'a platform started here, by its folder', env: 'KAIRSHIP_DATA_DIR' },
];

/** Makes a command understand which platform is meant. */
export function onPlatform(command: Command): Command {
  for (const { flags, description } of CONNECTION) command.addOption(new Option(flags, description).hideHelp());
  return command;
}

/** Makes a command understand which platform and which of its instances is meant. */
export function onInstance(command: Command): Command {
  return onPlatform(command).option(
    '-i, --instance <name>',
    "the instance; the context's, or the only one, when absent",
  );
}

export const withOutput = (command: Command): Command =>
  command.option('-o, --output <format>', 'json, yaml, wide, name or jsonpath=TEMPLATE', format);

/** What every list understands. */
export function asList(command: Command): Command {
  return withOutput(command)
    .option('-l, --selector <labels>', 'only what has these labels, as in app=web,tier!=test')
    .option('-w, --watch', 'go on, and print what changes')
    .option('--limit <count>', 'at most so many', count)
    .option('--no-headers', 'leave out the first line of tables');
}

export function inNamespace(command: Command): Command {
  return command.option('-n, --namespace <namespace>', 'the namespace', 'default');
}

export const yes = (command: Command): Command => command.option('-y, --yes', 'do not ask');

export function port(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65_535)
    throw new InvalidArgumentError('a port is a number from 0 to 65535');
  return value;
}

export function count(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < 0)
    throw new InvalidArgumentError('a count is a whole number');
  return value;
}

export function factor(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError('a factor is a number above 0');
  return value;
}

/** For what may be given several times. */
export const list = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** `a,b` and several times. */
export const commaList = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...text.split(',').filter((part) => part !== ''),
];

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `500ms`, `30s`, `1m30s`, `8h`, `30d`, in milliseconds. */
export function duration(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text)
    throw new InvalidArgumentError('a duration is written as 500ms, 30s, 1m30s, 8h or 30d');
  return parts.reduce((sum, [, much, unit]) => sum + Number(much) * UNITS[unit as keyof typeof UNITS], 0);
}

/** How long something takes when nobody says, written as one would write it: `5m`. */
export function lasting(flags: string, what: string, otherwise: string): Option {
  return new Option(`${flags} <duration>`, what).argParser(duration).default(duration(otherwise), otherwise);
}

/** How long a command waits for what it began. */
export const patience = (what: string): Option => lasting('--timeout', what, '5m');

/** `key=value,other=…`; a key with a `-` behind it is one to take away. */
export function labelChanges(words: readonly string[]): {
  readonly set: Readonly<Record<string, string>>;
  readonly remove: readonly string[];
} {
  const set: Record<string, string> = {};
  const remove: string[] = [];
  for (const word of words) {
    const [, key = '', value] = /^([^=]+?)(?:=(.*)|-)$/.exec(word) ?? [];
    if (key === '') throw new InvalidArgumentError(`"${word}": say KEY=VALUE to set a label, KEY- to remove it`);
    if (value === undefined) remove.push(key);
    else set[key] = value;
  }
  return { set, remove };
}
