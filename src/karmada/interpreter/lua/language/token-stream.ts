/** The tokens of a script, one looked at, and what the parser asks of them. */
import { type Lexer, lexer, type Token } from './lexer.ts';
import { LuaSyntaxError } from './lua-error.ts';

export interface TokenStream {
  /** The token at hand. */
  readonly token: Token;
  advance(): Token;
  /** Takes the token if it is of the type. */
  accept(type: string): boolean;
  /** Takes a token that must be of the type; `opening` names what it closes. */
  expect(type: string, opening?: Token): Token;
  unexpected(): LuaSyntaxError;
}

export function tokenStream(script: string): TokenStream {
  const tokens: Lexer = lexer(script);
  let token = tokens.next();

  function advance(): Token {
    const taken = token;
    token = tokens.next();
    return taken;
  }

  return {
    get token() {
      return token;
    },
    advance,
    accept(type) {
      if (token.type !== type) return false;
      advance();
      return true;
    },
    expect(type, opening) {
      if (token.type === type) return advance();
      const toClose =
        opening && opening.line !== token.line ? ` (to close '${opening.text}' at line ${opening.line})` : '';
      throw new LuaSyntaxError(`'${type}' expected${toClose} near '${token.text}'`, token.line);
    },
    unexpected: () => new LuaSyntaxError(`unexpected symbol near '${token.text}'`, token.line),
  };
}
