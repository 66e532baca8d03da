import type { Tone } from './verdict.ts';

/** Frequencies in hertz: rising for entry, one tone for a look, low and twice for no entry. */
const tones: Record<Tone, readonly number[]> = { go: [660, 990], look: [520], stop: [180, 180] };
const vibrations: Record<Tone, number[]> = { go: [60], look: [40, 60, 40], stop: [200, 80, 200] };
const toneSeconds = 0.12;

let audio: AudioContext | null = null;

/** Plays the sound of a verdict and vibrates, where the browser can. */
export function signal(tone: Tone): void {
  try {
    play(tone);
  } catch (error) {
    // The verdict is on the screen.
    console.error(error);
  }
}

function play(tone: Tone): void {
  navigator.vibrate?.(vibrations[tone]);
  audio ??= new AudioContext();
  void audio.resume();
  tones[tone].forEach((frequency, index) => {
    if (!audio) return;
    const oscillator = audio.createOscillator();
    const volume = audio.createGain();
    const start = audio.currentTime + index * toneSeconds;
    oscillator.frequency.value = frequency;
    volume.gain.setValueAtTime(0.2, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + toneSeconds);
    oscillator.connect(volume).connect(audio.destination);
    oscillator.start(start);
    oscillator.stop(start + toneSeconds);
  });
}
