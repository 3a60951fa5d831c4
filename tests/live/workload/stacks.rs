// SPDX-License-Identifier: BSD-2-Clause
// stacks: traits, panics that are caught, sorting, recursion and two threads.
use std::collections::HashMap;
use std::fmt::Write;
use std::panic;
use std::time::{Duration, Instant};

trait Shape {
    fn area(&self, n: usize) -> f64;
}
struct Square;
struct Faulty;
impl Shape for Square {
    fn area(&self, n: usize) -> f64 {
        (0..n % 50).map(|x| x as f64 * 1.5).sum()
    }
}
impl Shape for Faulty {
    fn area(&self, n: usize) -> f64 {
        if n % 16 == 3 {
            panic!("area of {}", n);
        }
        n as f64
    }
}

#[inline(never)]
fn sorts(n: usize) -> usize {
    let mut numbers: Vec<usize> = (0..300).map(|i| (i * 7919 + n) % 1000).collect();
    numbers.sort_by_key(|x| x ^ n);
    let mut counts = HashMap::new();
    for number in &numbers {
        *counts.entry(number.to_string()).or_insert(0usize) += 1;
    }
    counts.len()
}

#[inline(never)]
fn recurse(depth: usize, text: &mut String) -> usize {
    let _ = write!(text, "{}", depth);
    if depth == 0 {
        return sorts(text.len());
    }
    recurse(depth - 1, text) + text.len() % 2
}

fn all(milliseconds: u64) -> usize {
    let end = Instant::now() + Duration::from_millis(milliseconds);
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square), Box::new(Faulty)];
    let mut sum = 0;
    let mut n = 0;
    while Instant::now() < end {
        n += 1;
        sum += recurse(n % 40, &mut String::new());
        for shape in &shapes {
            sum += panic::catch_unwind(panic::AssertUnwindSafe(|| shape.area(n) as usize)).unwrap_or(1);
        }
    }
    sum
}

fn main() {
    panic::set_hook(Box::new(|_| {}));
    let other = std::thread::spawn(|| all(400));
    let sum = all(400);
    println!("{}", sum + other.join().unwrap());
}
