import { isFault } from './kept-traces.rules.ts';
import type { FinishedSpan, SpanSink } from './spans.ts';

/** The most spans that wait for the decision about their request. */
const maxSpans = 200;

interface HeldSpan {
  span: FinishedSpan;
  /** On the monotonic clock. */
  endedAt: number;
}

/**
 * The spans of a request that is not sampled. They wait in memory until the request ends: those of
 * a failed or slow one are exported, the others are dropped.
 */
export class HeldSpans implements SpanSink {
  /** Called once when the decision to export is made, which may be before the response. */
  onExport: (() => void) | null = null;
  #state: 'held' | 'exported' | 'dropped' = 'held';
  #spans: HeldSpan[] = [];
  readonly #sink: SpanSink;
  readonly #mayKeep: () => boolean;

  constructor(sink: SpanSink, mayKeep: () => boolean) {
    this.#sink = sink;
    this.#mayKeep = mayKeep;
  }

  get isExported(): boolean {
    return this.#state === 'exported';
  }

  record(span: FinishedSpan): void {
    if (this.#state === 'exported') this.#sink.record(span);
    if (this.#state !== 'held') return;
    if (this.#spans.length < maxSpans) this.#spans.push({ span, endedAt: performance.now() });
    if (isFault(span)) this.keepIfAllowed();
  }

  /** Exports the spans if the limit of this process allows it. */
  keepIfAllowed(): void {
    if (this.#state === 'held' && this.#mayKeep()) this.keep();
  }

  /** Exports the spans, the later ones too. */
  keep(): void {
    if (this.#state !== 'held') return;
    this.#state = 'exported';
    const now = performance.now();
    for (const { span, endedAt } of this.#spans) this.#sink.record(span, now - endedAt);
    this.#spans = [];
    this.onExport?.();
  }

  /** Drops the spans, the later ones too, unless the trace is kept. */
  drop(): void {
    if (this.#state !== 'held') return;
    this.#state = 'dropped';
    this.#spans = [];
  }
}
