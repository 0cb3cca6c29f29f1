//! Durations and sizes as they are typed.

/// A duration with a unit: `90s`, `5m`, `1h`, `500ms`; a bare number counts seconds.
pub(crate) fn parse_duration(text: &str) -> Result<std::time::Duration, String> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 = number.parse().map_err(|_| format!("'{text}': invalid duration (expected e.g. 90s, 5m)"))?;
    let scale = match unit.trim() {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("unknown unit '{unit}'; use ms, s, m or h")),
    };
    std::time::Duration::try_from_secs_f64(number * scale).map_err(|_| format!("'{text}' is too long"))
}

/// A size with a unit: `4GB`, `500MB`; a bare number counts bytes.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 = number.parse().map_err(|_| format!("'{text}': invalid size (expected e.g. 4GB)"))?;
    let scale = match unit.trim().to_ascii_uppercase().as_str() {
        "" | "B" => 1.0,
        "K" | "KB" | "KIB" => 1024.0,
        "M" | "MB" | "MIB" => 1024.0 * 1024.0,
        "G" | "GB" | "GIB" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(format!("unknown unit '{unit}'; use KB, MB or GB")),
    };
    Ok((number * scale) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn durations_and_sizes() {
        assert_eq!(parse_duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("2m"), Ok(Duration::from_secs(120)));
        assert!(parse_duration("soon").is_err());
        assert!(parse_duration("3 parsecs").is_err());
        assert_eq!(parse_size("4GB"), Ok(4 << 30));
        assert_eq!(parse_size("512KB"), Ok(512 << 10));
        assert!(parse_size("big").is_err());
    }
}
