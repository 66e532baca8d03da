import {
  createBrowserHistory,
  type HistoryLocation,
  type RouterHistory,
} from '@tanstack/react-router';
import { privateHref, publicHref, queryOf, textOf } from './private-history.rules.ts';

/** What an entry of the history knows beside its address. */
interface EntryState {
  searchText?: string;
}

/**
 * The history of the browser, in whose addresses the text of a search is not: a name or an email
 * would stay in the browser's list of visited pages, in copied links and in the logs of servers.
 * The entry of the history has it, so that back and reload restore it. The router reads it as `q`.
 */
export function createPrivateHistory(): RouterHistory {
  const history = createBrowserHistory({
    createHref: publicHref,
    parseLocation: () => {
      const { pathname, search, hash } = window.location;
      // A page can have replaced the state of its entry, such as that of an invitation.
      const stored = window.history.state as (EntryState & HistoryLocation['state']) | null;
      const state = stored ?? { __TSR_index: 0 };
      const href = privateHref(`${pathname}${search}${hash}`, stored?.searchText);
      return { href, pathname, search: queryOf(href), hash, state };
    },
  });
  const { push, replace } = history;
  history.push = (href, state, options) => push(href, withText(href, state), options);
  history.replace = (href, state, options) => replace(href, withText(href, state), options);
  const { href, state } = history.location;
  // An address that somebody has typed or stored.
  if (textOf(href) !== undefined) {
    window.history.replaceState(withText(href, state), '', publicHref(href));
  }
  return history;
}

function withText<State extends object>(href: string, state: State = {} as State): State {
  const text = textOf(href);
  return text === undefined ? state : { ...state, searchText: text };
}
