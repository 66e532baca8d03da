import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Series } from './series.ts';

/** The drawn lines of a chart. Colors are those of the theme at the time of drawing. */
export default function Plot({
  days,
  series,
  format,
}: {
  days: readonly string[];
  series: readonly Series[];
  format: (value: number) => string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const data = JSON.stringify([days, series]);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const parsed = JSON.parse(data) as [string[], Series[]];
    const draw = () => {
      element.replaceChildren();
      return new uPlot(optionsOf(element, parsed[0], parsed[1], format), dataOf(parsed), element);
    };
    let plot = draw();
    const resized = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    resized.observe(element);
    const themed = new MutationObserver(() => {
      plot.destroy();
      plot = draw();
    });
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      resized.disconnect();
      themed.disconnect();
      plot.destroy();
    };
  }, [data, format]);
  return <div ref={box} aria-hidden className="h-full w-full" />;
}

const dataOf = ([days, series]: [string[], Series[]]): uPlot.AlignedData => [
  days.map((_, index) => index),
  ...series.map(({ values }) => [...values]),
];

function optionsOf(
  element: HTMLElement,
  days: readonly string[],
  series: readonly Series[],
  format: (value: number) => string,
): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(name).trim();
  // Within a week, the day alone is enough.
  const labelOf = days.length > 7 ? dayAndMonth : shortDay;
  const axis = {
    stroke: color('--muted'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui',
  };
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { x: { time: false }, y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] } },
    axes: [
      { ...axis, values: (_, ticks) => ticks.map((tick) => labelOf(days[tick])) },
      { ...axis, size: 64, values: (_, ticks) => ticks.map(format) },
    ],
    series: [
      {},
      ...series.map(({ label, isComparison }) => ({
        label,
        stroke: color(isComparison ? '--edge' : '--accent'),
        width: 2,
        ...(isComparison ? { dash: [4, 4] } : {}),
        points: { show: false },
      })),
    ],
  };
}

const shortDay = (day: string | undefined): string => (day ? `${Number(day.slice(8))}.` : '');

const dayAndMonth = (day: string | undefined): string =>
  day
    ? new Date(day).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
    : '';
