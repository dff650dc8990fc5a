/** What the page with all ways in says, in the language the browser asks for: English, or Chinese where it prefers that. */

export interface SignInWords {
  readonly language: 'en' | 'zh-CN';
  readonly title: string;
  readonly name: string;
  readonly password: string;
  readonly signIn: string;
  readonly or: string;
  signInWith(provider: string): string;
  /** Where a link comes from. */
  readonly link: string;
  readonly forProgram: string;
  /** Why somebody was not let in; what is not known here is said as it was said. */
  refusal(message: string): string;
}

const ENGLISH: SignInWords = {
  language: 'en',
  title: 'Sign in',
  name: 'Name',
  password: 'Password',
  signIn: 'Sign in',
  or: 'or',
  signInWith: (provider) => `Sign in with ${provider}`,
  link: 'Sign in with the link that `kairship up` printed, or run `kairship open` for a new one.',
  forProgram: 'Sign in to allow the command line.',
  refusal: sentence,
};

const REFUSALS: readonly (readonly [said: RegExp, chinese: string])[] = [
  [/^the name or the password is not right$/, '用户名或密码不正确。'],
  [/^the link was used already or is too old$/, '该链接已被使用或已过期。'],
  [/^too many failed attempts: try again in (\d+) s$/, '失败次数过多，请在 $1 秒后重试。'],
];

const CHINESE: SignInWords = {
  language: 'zh-CN',
  title: '登录',
  name: '用户名',
  password: '密码',
  signIn: '登录',
  or: '或',
  signInWith: (provider) => `使用 ${provider} 登录`,
  link: '使用 `kairship up` 打印的链接登录，或运行 `kairship open` 获取新链接。',
  forProgram: '登录后即可授权命令行。',
  refusal(message) {
    const [said, chinese] = REFUSALS.find(([one]) => one.test(message)) ?? [];
    return said && chinese ? message.replace(said, chinese) : sentence(message);
  },
};

/** By `Accept-Language`, whose first language is the preferred one in every browser. */
export function signInWords(accepted: string | undefined): SignInWords {
  return /^\s*zh\b/i.test(accepted ?? '') ? CHINESE : ENGLISH;
}

function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?。]$/.test(text) ? text : `${text}.`;
}
