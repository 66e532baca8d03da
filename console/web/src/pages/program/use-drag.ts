import { useRef, useState } from 'react';

export interface Drop {
  kind: 'move' | 'resize';
  minutes: number;
  /**
   * The room under the pointer; null for the column without a room; undefined outside of all
   * columns.
   */
  venueId: string | null | undefined;
}

type Shift = { kind: 'none' | 'move' | 'resize'; x: number; y: number };

const still: Shift = { kind: 'none', x: 0, y: 0 };

/** A pointer that moves less than this has clicked. */
const clickPixels = 4;

const isElement = (target: EventTarget | null): target is HTMLElement =>
  target instanceof HTMLElement;

function roomAt(x: number, y: number): string | null | undefined {
  const column = document
    .elementsFromPoint(x, y)
    .find((element) => element.hasAttribute('data-room'));
  return column ? column.getAttribute('data-room') || null : undefined;
}

/** Drags an element with a mouse or a pen. Fingers scroll, and open what they tap. */
export function useDrag({
  pixelsPerMinute,
  onClick,
  onDrop,
}: {
  pixelsPerMinute: number;
  onClick: (() => void) | null;
  onDrop: ((drop: Drop) => void) | null;
}) {
  const [shift, setShift] = useState<Shift>(still);
  const start = useRef<{ kind: Drop['kind']; x: number; y: number } | null>(null);
  const hasDragged = useRef(false);
  const end = () => {
    start.current = null;
    setShift(still);
  };
  return {
    shift,
    handlers: {
      onPointerDown(event: React.PointerEvent<HTMLElement>) {
        hasDragged.current = false;
        if (!onDrop || event.button !== 0 || event.pointerType === 'touch') return;
        const isEdge = isElement(event.target) && event.target.dataset.resize !== undefined;
        start.current = {
          kind: isEdge ? 'resize' : 'move',
          x: event.clientX,
          y: event.clientY,
        };
        event.currentTarget.setPointerCapture(event.pointerId);
      },
      onPointerMove(event: React.PointerEvent<HTMLElement>) {
        if (!start.current) return;
        const { kind } = start.current;
        const [x, y] = [event.clientX - start.current.x, event.clientY - start.current.y];
        if (!hasDragged.current && Math.hypot(x, y) < clickPixels) return;
        hasDragged.current = true;
        setShift({ kind, x, y });
      },
      onPointerUp(event: React.PointerEvent<HTMLElement>) {
        if (!start.current) return;
        const { kind, y } = start.current;
        const minutes = (event.clientY - y) / pixelsPerMinute;
        end();
        if (!hasDragged.current) return;
        onDrop?.({ kind, minutes, venueId: roomAt(event.clientX, event.clientY) });
      },
      onPointerCancel: end,
      onClick() {
        if (!hasDragged.current) onClick?.();
        hasDragged.current = false;
      },
    },
  };
}
